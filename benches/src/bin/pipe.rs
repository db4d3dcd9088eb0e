//! The stdio load: every call is written without waiting for an answer, every answer is counted.
//!
//! `pipe CALLS PROGRAM ARGS…` prints the microseconds of CPU that the server took for a call, the
//! calls in a second and the server's peak of resident memory in MB.

use std::{
    io::{BufRead as _, BufReader, BufWriter, Write as _},
    process::{Command, Stdio},
    thread,
    time::Instant,
};

use benches::{Failure, request::Kind, surface};
use serde::Deserialize;

#[derive(Deserialize)]
struct Envelope {
    id: usize,
}

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [calls, program, args @ ..] = words.as_slice() else {
        return Err("pipe CALLS PROGRAM ARGS…".into());
    };
    let calls: usize = calls.parse()?;
    let mut command = Command::new(program);
    let mut server = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = server.stdin.take().ok_or("the server has no stdin")?;
    let output = server.stdout.take().ok_or("the server has no stdout")?;
    let mut output = BufReader::with_capacity(256 * 1024, output);
    let mut line = Vec::new();
    // One call ahead, so that starting up is no part of the figure.
    writeln!(input, "{}", Kind::Call.message(calls))?;
    output.read_until(b'\n', &mut line)?;
    Kind::Call.check(&line, surface::TOOLS)?;
    let process = format!("/proc/{}", server.id());
    let before = cpu_ns(&process)?;
    let began = Instant::now();
    let writer = thread::spawn(move || -> std::io::Result<_> {
        let mut input = BufWriter::with_capacity(64 * 1024, input);
        for id in 0..calls {
            writeln!(input, "{}", Kind::Call.message(id))?;
        }
        input.flush()?;
        Ok(input)
    });
    let mut answered = vec![false; calls];
    for _ in 0..calls {
        line.clear();
        if output.read_until(b'\n', &mut line)? == 0 {
            return Err("the server ended before its last answer".into());
        }
        let envelope: Envelope = serde_json::from_slice(&line)?;
        let seen = answered.get_mut(envelope.id).ok_or("an answer to no call")?;
        if std::mem::replace(seen, true) {
            return Err(format!("two answers to call {}", envelope.id).into());
        }
        if envelope.id.is_multiple_of(1_000) {
            Kind::Call.check(&line, surface::TOOLS)?;
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let cpu = cpu_ns(&process)? - before;
    let peak = peak_mb(&process)?;
    // Closing its input ends the server.
    drop(writer.join().map_err(|_| "the writer died")??);
    server.wait()?;
    let count = f64::from(u32::try_from(calls)?);
    let (micros, rate) = (cpu / 1_000.0 / count, count / seconds);
    writeln!(std::io::stdout(), "{micros:.3} {rate:.0} {peak:.1}")?;
    Ok(())
}

/// The time on a processor of every thread, finer than the ticks of `stat`.
fn cpu_ns(process: &str) -> Result<f64, Failure> {
    let mut total = 0.0;
    for task in std::fs::read_dir(format!("{process}/task"))? {
        let text = std::fs::read_to_string(task?.path().join("schedstat"))?;
        total += text.split(' ').next().unwrap_or_default().parse::<f64>()?;
    }
    Ok(total)
}

fn peak_mb(process: &str) -> Result<f64, Failure> {
    let status = std::fs::read_to_string(format!("{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()).ok_or("no VmHWM")?;
    Ok(kilobytes.parse::<f64>()? / 1024.0)
}
