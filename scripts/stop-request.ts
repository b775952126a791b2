const parentCheckMs = 500

/**
 * Calls back once when this process is asked to end: by a signal, or because the one that started it is gone (a
 * killed npm passes nothing on). Asking twice is asking once.
 */
export function onStopRequest(stop: (why: string) => Promise<void>): void {
  let isAsked = false
  const ask = (why: string) => {
    if (isAsked) return
    isAsked = true
    void stop(why)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ask(signal))
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) ask('the terminal is gone')
  }, parentCheckMs).unref()
  // A closed terminal takes no more text, which is no reason to stop stopping.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
