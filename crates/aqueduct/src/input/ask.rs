//! What a [`Context`] offers for asking the client.

use std::collections::BTreeMap;

use aqueduct_protocol::input::InputResponse;
use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::roots::Root;
use aqueduct_protocol::sampling::{CreateMessageRequestParams, CreateMessageResult};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::answer::{Answer, Elicited};
use super::question::{Question, ask_again, needed};
use super::required::InputRequired;
use crate::context::Context;
use crate::error::{Error, ToolError};

impl Context {
    /// Asks the user to fill in a form.
    ///
    /// `key` tells the questions of one call apart. An answer that does not fit the form is asked
    /// for again; a refusal is an error, unless an [`Answer`] is asked for.
    ///
    /// # Errors
    /// The question itself, which `?` hands on and the framework turns into `input_required`; a
    /// refusal; -32021 when the client cannot show forms.
    pub async fn elicit<T: Elicited>(
        &self,
        key: &str,
        message: impl Into<String>,
    ) -> Result<T, ToolError> {
        self.ask(Question::<T>::form(key, message)).await
    }

    /// Asks the user to visit an address; see [`Question::visit`].
    ///
    /// # Errors
    /// See [`Self::elicit`].
    pub async fn visit(
        &self,
        key: &str,
        message: impl Into<String>,
        url: impl Into<String>,
    ) -> Result<Answer<()>, ToolError> {
        self.ask(Question::visit(key, message, url)).await
    }

    /// Asks the client's model.
    ///
    /// # Errors
    /// See [`Self::elicit`].
    pub async fn sample(
        &self,
        key: &str,
        params: CreateMessageRequestParams,
    ) -> Result<CreateMessageResult, ToolError> {
        self.ask(Question::sample(key, params)).await
    }

    /// Asks for the directories that the client works in: guidance, never access control.
    ///
    /// # Errors
    /// See [`Self::elicit`].
    pub async fn roots(&self) -> Result<Vec<Root>, ToolError> {
        self.ask(Question::roots("roots")).await
    }

    /// Asks one question.
    ///
    /// # Errors
    /// See [`Self::elicit`].
    pub async fn ask<T: Send>(&self, question: Question<T>) -> Result<T, ToolError> {
        let mut missing = InputRequired::new();
        let answer = self.look(question, &mut missing)?;
        match answer {
            Some(answer) => answer,
            None => Err(missing.into()),
        }
    }

    /// Asks several questions in one round: a tuple of [`Question`]s, a tuple of answers.
    ///
    /// # Errors
    /// See [`Self::elicit`].
    pub async fn ask_all<Q: Questions>(&self, questions: Q) -> Result<Q::Answers, ToolError> {
        questions.answers(self)
    }

    /// Does something once in all rounds of the call, and remembers what came of it.
    ///
    /// The handler runs again from its beginning on every round; what must not happen again, a
    /// charge or a message, stands in here. What it returned travels sealed with the client.
    /// It is remembered from the next question on: a client that calls anew does it anew.
    /// In a task it is written down before the handler goes on, so it is remembered at once.
    ///
    /// # Errors
    /// What the work failed with, which is not remembered.
    pub async fn once<T, E>(
        &self,
        key: &str,
        work: impl AsyncFnOnce() -> Result<T, E>,
    ) -> Result<T, ToolError>
    where
        T: Serialize + DeserializeOwned,
        E: Into<ToolError>,
    {
        if let Some(done) = self.replay().done(key) {
            return Ok(done.decode()?);
        }
        let value = work().await.map_err(Into::into)?;
        self.replay().finish(key, RawJson::new(&value)?);
        if let Some(task) = self.task() {
            let (carried, _) = self.replay().parts();
            task.keep(carried).await?;
        }
        Ok(value)
    }

    /// What the client answered on this round, by the keys of the questions.
    #[must_use]
    pub fn responses(&self) -> BTreeMap<String, InputResponse> {
        let responses = self.replay().responses();
        responses.into_iter().map(|(key, raw)| (key, raw.into())).collect()
    }

    /// The state that the handler gave along with its questions on the round before.
    #[must_use]
    pub fn round_state<T: DeserializeOwned>(&self) -> Option<T> {
        self.replay().state()?.decode().ok()
    }

    /// The answer to a question if there is a good one, or else the question among the missing.
    fn look<T>(
        &self,
        mut question: Question<T>,
        missing: &mut InputRequired,
    ) -> Result<Option<Result<T, ToolError>>, Error> {
        self.require(&needed(&question.request))?;
        if let Some(raw) = self.replay().answer(&question.key) {
            let response = InputResponse::from(raw.clone());
            if let Some(answer) = (question.read)(&response) {
                self.replay().settle(&question.key, raw);
                return Ok(Some(answer));
            }
            if let Some(why) = (question.explain)(&response) {
                ask_again(&mut question.request, &why);
            }
        }
        missing.requests.insert(question.key, question.request);
        Ok(None)
    }
}

/// Several questions at once.
pub trait Questions {
    /// Their answers, in the same order.
    type Answers;

    /// The answers, or all those questions that have none yet.
    ///
    /// # Errors
    /// See [`Context::elicit`].
    fn answers(self, ctx: &Context) -> Result<Self::Answers, ToolError>;
}

macro_rules! questions {
    ($($answer:ident $question:ident),+) => {
        impl<$($answer),+> Questions for ($(Question<$answer>,)+) {
            type Answers = ($($answer,)+);

            fn answers(self, ctx: &Context) -> Result<Self::Answers, ToolError> {
                let ($($question,)+) = self;
                let mut missing = InputRequired::new();
                $(let $question = ctx.look($question, &mut missing)?;)+
                match ($($question,)+) {
                    ($(Some($question),)+) => Ok(($($question?,)+)),
                    _ => Err(missing.into()),
                }
            }
        }
    };
}

questions!(A a);
questions!(A a, B b);
questions!(A a, B b, C c);
questions!(A a, B b, C c, D d);
questions!(A a, B b, C c, D d, E e);
questions!(A a, B b, C c, D d, E e, F f);
