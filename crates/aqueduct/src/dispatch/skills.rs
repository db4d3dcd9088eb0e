//! The methods of the skills extension (SEP-2640).

use std::borrow::Cow;

use aqueduct_protocol::cache::{CacheHint, CacheScope};
use aqueduct_protocol::jsonrpc::{self, Param};
use aqueduct_protocol::method::Method;
use aqueduct_protocol::skills::{
    GetSkillResult, ListSkillsResult, ReadResourceDirectoryResult, Skill,
};

use super::gather::Gather;
use super::{Core, Options, list};
use crate::call::{Outcome, Prebuilt, Stamp};
use crate::context::Context;
use crate::error::{Error, shorten};
use crate::item::ItemKind;
use crate::page::{Cursors, Pages, Place};
use crate::skill::Skills;

/// The pages of the list, for servers on which it is the same for everybody.
pub(super) fn pages(
    skills: &Skills,
    options: &Options,
    cursors: &Cursors,
    stamp: &Stamp,
) -> Option<Pages<Prebuilt>> {
    let (size, hint) = (options.page_size, skills.cache_hint());
    Pages::build(Method::SkillsList, skills.entries(), size, cursors, |page, next| {
        let mut result = ListSkillsResult::new(page).cache(hint);
        result.next_cursor = next;
        let mut out = Vec::new();
        stamp.write(result, &mut out).map(|()| Prebuilt::new(out))
    })
}

/// A page of the skills, where it is the same for everybody.
pub(super) fn page(core: &Core, ctx: &Context) -> Result<Option<Prebuilt>, Error> {
    match &core.skill_pages {
        Some(pages) if !is_ruled(core) => {
            Ok(Some(pages.page(&core.cursors, list::cursor(ctx)?.as_deref())?))
        }
        _ => Ok(None),
    }
}

/// A page of the skills that this caller sees.
pub(super) fn seen(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let method = Method::SkillsList;
    let mut gather = Gather::new(core, list::begin(core, ctx, method)?);
    let entries = core.skills.as_ref().map(Skills::entries).unwrap_or_default();
    gather.fixed(entries, |skill: &Skill| shows(core, ctx, &skill.uri).then(|| skill.clone()))?;
    let (items, next) = gather.end();
    let mut result = ListSkillsResult::new(items).cache(hint(core));
    result.next_cursor = list::seal(core, method, next)?;
    Ok(Outcome::ListSkills(result))
}

/// One skill.
pub(super) fn get(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let uri = uri(ctx)?;
    let skill = core.skills.as_ref().and_then(|skills| skills.get(&uri));
    match skill.filter(|_| shows(core, ctx, &uri)) {
        Some(skill) => Ok(Outcome::GetSkill(GetSkillResult::new(skill.clone()).cache(hint(core)))),
        None => Err(Error::not_found(format!("no skill at {:?}", shorten(&uri)))),
    }
}

/// A page of what lies in a directory.
pub(super) fn directory(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let method = Method::ResourcesDirectoryRead;
    let uri = uri(ctx)?;
    let skills = core.skills.as_ref().filter(|_| shows(core, ctx, &uri));
    let Some(children) = skills.and_then(|skills| skills.children(&uri)) else {
        let is_file = skills.is_some_and(|skills| skills.is_file(&uri));
        let what = if is_file { "is a file, no directory" } else { "is no directory here" };
        return Err(Error::not_found(format!("{:?} {what}", shorten(&uri))));
    };
    let from = list::begin(core, ctx, method)?;
    // A cursor is good for the directory it was made for.
    let is_of_it = list::cursor(ctx)?.is_none() || from.source == *uri;
    let from: usize = match is_of_it {
        true if from.inner.is_empty() => 0,
        true => from.inner.parse().map_err(|_| stale())?,
        false => return Err(stale()),
    };
    let mut seen = children.iter().enumerate().skip(from);
    let mut seen = seen.by_ref().filter(|(_, item)| shows(core, ctx, &item.uri));
    let page = seen.by_ref().take(core.options.page_size).map(|(_, item)| item.clone()).collect();
    let next =
        seen.next().map(|(nth, _)| Place { source: uri.into_owned(), inner: nth.to_string() });
    let mut result = ReadResourceDirectoryResult::new(page);
    result.next_cursor = list::seal(core, method, next)?;
    Ok(Outcome::ReadDirectory(result))
}

fn stale() -> Error {
    Error::not_found("the cursor is not one of this directory; begin again without it")
}

fn uri(ctx: &Context) -> Result<Cow<'_, str>, Error> {
    let raw = ctx.request().param(Param::Uri);
    let raw = raw.ok_or_else(|| Error::invalid_params("params.uri is missing"))?;
    jsonrpc::string(raw).ok_or_else(|| Error::invalid_params("params.uri must be a string"))
}

/// Does it depend on the caller what he sees?
fn is_ruled(core: &Core) -> bool {
    !core.resources.rules().visibility.is_empty()
}

fn shows(core: &Core, ctx: &Context, uri: &str) -> bool {
    core.resources.rules().show(ItemKind::Resource, uri, None, ctx)
}

/// What depends on who asks must be given to nobody else.
fn hint(core: &Core) -> CacheHint {
    let mut hint = core.skills.as_ref().map(Skills::cache_hint).unwrap_or_default();
    if is_ruled(core) {
        hint.cache_scope = CacheScope::Private;
    }
    hint
}
