//! A stack that lives in its owner until it grows past `N`, so that an ordinary message allocates
//! nothing.

/// The first `N` values inline, the rest in a vector.
#[derive(Debug)]
pub(super) struct Stack<T, const N: usize> {
    inline: [T; N],
    spilled: Vec<T>,
    len: usize,
}

impl<T: Copy, const N: usize> Stack<T, N> {
    pub(super) const fn new(fill: T) -> Self {
        Self { inline: [fill; N], spilled: Vec::new(), len: 0 }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, value: T) {
        match self.inline.get_mut(self.len) {
            Some(place) => *place = value,
            None => self.spilled.push(value),
        }
        self.len += 1;
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut T> {
        let last = self.len.checked_sub(1)?;
        match last.checked_sub(N) {
            None => self.inline.get_mut(last),
            Some(index) => self.spilled.get_mut(index),
        }
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        let value = *self.last_mut()?;
        self.truncate(self.len - 1);
        Some(value)
    }

    /// Forgets everything above the first `len` values.
    pub(super) fn truncate(&mut self, len: usize) {
        if self.len > N {
            self.spilled.truncate(len.saturating_sub(N));
        }
        self.len = self.len.min(len);
    }

    /// The values from `from` to the top, in two pieces.
    pub(super) fn above(&self, from: usize) -> [&[T]; 2] {
        let inline = self.inline.get(from.min(N)..self.len.min(N)).unwrap_or_default();
        let spilled = self.spilled.get(from.saturating_sub(N)..).unwrap_or_default();
        [inline, spilled]
    }
}

#[cfg(test)]
mod tests {
    use super::Stack;

    #[test]
    fn values_survive_the_way_to_the_heap_and_back() {
        let mut stack = Stack::<u32, 2>::new(0);
        for value in 1..=5 {
            stack.push(value);
        }
        assert_eq!(stack.above(0).concat(), [1, 2, 3, 4, 5]);
        assert_eq!(stack.above(1).concat(), [2, 3, 4, 5]);
        assert_eq!(stack.above(3).concat(), [4, 5]);
        assert_eq!(stack.pop(), Some(5));
        stack.truncate(1);
        assert_eq!(stack.last_mut(), Some(&mut 1));
        stack.push(9);
        stack.push(8);
        assert_eq!(stack.above(0).concat(), [1, 9, 8]);
        stack.truncate(0);
        assert_eq!((stack.pop(), stack.len()), (None, 0));
    }
}
