/**
 * Does the work every `tickMs`, never twice at once; where it takes long, half a tick is left between two rounds for
 * everything else. Zero never does it. The answer ends it.
 */
export function startTicking(tickMs: number, work: () => void): () => void {
  if (tickMs === 0) return () => {}
  let ended = false
  const round = (): void => {
    const begun = performance.now()
    work()
    const spent = performance.now() - begun
    if (!ended) timer = setTimeout(round, Math.max(tickMs - spent, tickMs / 2))
  }
  let timer = setTimeout(round, tickMs)
  return () => {
    ended = true
    clearTimeout(timer)
  }
}
