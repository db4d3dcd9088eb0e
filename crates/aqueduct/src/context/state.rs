//! The values that a server lends to its handlers, one of each type.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::sync::Arc;

/// One value of each type.
#[derive(Default, Clone)]
pub(crate) struct StateMap(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl StateMap {
    /// Adds a value; answers the type's name when there is one of that type already.
    pub(crate) fn insert<T: Send + Sync + 'static>(
        &mut self,
        value: T,
    ) -> Result<(), &'static str> {
        let before = self.0.insert(TypeId::of::<T>(), Arc::new(value));
        if before.is_some() { Err(type_name::<T>()) } else { Ok(()) }
    }

    /// Takes what it lacks from another.
    pub(crate) fn fill(&mut self, other: &Self) {
        for (id, value) in &other.0 {
            self.0.entry(*id).or_insert_with(|| Arc::clone(value));
        }
    }

    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.0.get(&TypeId::of::<T>())?.clone().downcast().ok()
    }

    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.0.contains_key(&id)
    }
}
