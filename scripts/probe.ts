// Asks the process beside it, for engines that cannot ask over HTTP: ends with 0 if it answers 200.
const { PORT = '8080' } = process.env
const [page = '/livez'] = process.argv.slice(2)
const answer = await fetch(`http://127.0.0.1:${PORT}${page}`, { signal: AbortSignal.timeout(3000) })
await answer.body?.cancel()
process.exit(answer.ok ? 0 : 1)
