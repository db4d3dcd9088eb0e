//! What is left of one rate: one number, by the generic cell rate algorithm.

use std::time::Duration;

use super::Rate;

/// The time, in microseconds since 1970, at which all that was taken is given back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bucket(pub(super) u64);

impl Bucket {
    /// Takes at least one and at most `most`, and says how many.
    ///
    /// # Errors
    /// How long it is until one can be taken.
    pub(super) fn take(&mut self, rate: Rate, now: u64, most: u32) -> Result<u32, Duration> {
        let (each, whole) = (rate.each(), rate.whole());
        // A clock that was set back would shut a caller out for as long.
        let taken = self.0.saturating_sub(now).min(whole);
        let left = (whole - taken) / each;
        let granted = u32::try_from(left).unwrap_or(u32::MAX).min(most);
        if granted == 0 {
            let wait = taken.saturating_add(each).saturating_sub(whole);
            return Err(Duration::from_micros(wait.max(1)));
        }
        self.0 = now + taken + each * u64::from(granted);
        Ok(granted)
    }

    /// Is there nothing that was taken and not given back?
    pub(super) fn is_full(self, now: u64) -> bool {
        self.0 <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

    #[test]
    fn so_many_come_at_once_and_then_one_by_one() {
        let rate = Rate::per_second(10).burst(3);
        let (mut bucket, mut now) = (Bucket::default(), 50 * SECOND);
        for _ in 0..3 {
            assert_eq!(bucket.take(rate, now, 1), Ok(1));
        }
        assert_eq!(bucket.take(rate, now, 1), Err(Duration::from_millis(100)));
        now += SECOND / 10 - 1;
        assert_eq!(bucket.take(rate, now, 1), Err(Duration::from_micros(1)));
        now += 1;
        assert_eq!(bucket.take(rate, now, 1), Ok(1));
        assert!(bucket.take(rate, now, 1).is_err());
        // A long rest is worth no more than what may come at once.
        now += 100 * SECOND;
        assert_eq!(bucket.take(rate, now, 99), Ok(3));
    }

    #[test]
    fn no_more_than_the_rate_comes_in_any_time() {
        let rate = Rate::per_minute(600).burst(20);
        let mut bucket = Bucket::default();
        let granted: u64 = (0..10_000_u64)
            .filter(|step| bucket.take(rate, SECOND + step * 1_000, 1).is_ok())
            .count()
            .try_into()
            .unwrap();
        // What came at once, and the tenths of a second that are over before the last step.
        assert_eq!(granted, 20 + 99);
    }

    #[test]
    fn nothing_is_allowed_of_none_and_a_clock_set_back_shuts_nobody_out() {
        let mut bucket = Bucket::default();
        assert!(bucket.take(Rate::per_minute(0), SECOND, 1).is_err());
        assert!(bucket.take(Rate::per_minute(5).burst(0), SECOND, 1).is_err());
        let rate = Rate::per_second(1);
        let mut bucket = Bucket(3_600 * SECOND);
        assert_eq!(bucket.take(rate, SECOND, 1), Err(Duration::from_secs(1)));
        assert_eq!(Bucket(SECOND).take(rate, SECOND, 1), Ok(1));
    }
}
