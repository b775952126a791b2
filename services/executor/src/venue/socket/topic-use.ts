/** Which topics are used, so that those that nobody asked for lately can be let go. */
export interface TopicUse {
  /** Notes that a topic is used now; false where there are too many of them to use another one. */
  use: (topic: string) => boolean
  isUsed: (topic: string) => boolean
  stop: () => void
}

// A topic that nobody asked for in this time is let go.
const unusedMs = 15 * 60_000
const sweepEveryMs = 60_000
const most = 200

/** No topic is used yet; `drop` lets one go. */
export function createTopicUse(drop: (topic: string) => void): TopicUse {
  const usedAt = new Map<string, number>()
  const sweep = (): void => {
    const before = performance.now() - unusedMs
    for (const [topic, at] of usedAt) {
      if (at > before) continue
      usedAt.delete(topic)
      drop(topic)
    }
  }
  const sweeping = setInterval(sweep, sweepEveryMs).unref()
  return {
    use: (topic) => {
      if (!usedAt.has(topic) && usedAt.size >= most) return false
      usedAt.set(topic, performance.now())
      return true
    },
    isUsed: (topic) => usedAt.has(topic),
    stop: () => clearInterval(sweeping),
  }
}
