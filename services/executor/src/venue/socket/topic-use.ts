/** Topics in use, so that those without a recent request can be dropped. */
export interface TopicUse {
  /** Notes that a topic is used now; false where there are too many of them to use another one. */
  use: (topic: string) => boolean
  isUsed: (topic: string) => boolean
  stop: () => void
}

// A topic that is not requested in this time is dropped.
const unusedMs = 15 * 60_000
const sweepEveryMs = 60_000
const most = 200

/** No topic is used yet; `drop` ends the use of one. */
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
