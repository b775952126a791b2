// npm run venue-probe -- --help: tries at an exchange what we take for true of it.
import { runVenueProbe } from '../services/executor/probe/command.ts'

const stopping = new AbortController()
// Signals come more than once, from the terminal and from the parent: the first one ends the run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
process.exitCode = await runVenueProbe(process.argv.slice(2), process.env, stopping.signal)
