import { createTopicSocket, type TopicSocket, type TopicSocketOptions } from './topic-socket.ts'
import { createTopicUse } from './topic-use.ts'

/** The last that was told of a topic. */
export interface ToldText {
  text: string
  at: number
}

/** What is told of public topics, for those that somebody follows. */
export interface ToldTopics {
  follow: (topic: string) => void
  told: (topic: string) => ToldText | undefined
  /** Until when all that was told was heard; undefined while nothing shows it. */
  provenAt: TopicSocket['provenAt']
  stop: () => void
}

export interface ToldTopicsOptions
  extends Pick<TopicSocketOptions, 'address' | 'name' | 'log' | 'messageOf' | 'ping'> {
  /** The topic of which a text tells. */
  topicOf: (text: string) => string | undefined
  /** False where a text tells that nothing changed of what is wanted: then the last one still tells it. */
  tellsNews?: (text: string) => boolean
}

/** The last that was told of each topic, as text: of a thousand that are told one is looked at. */
export function openToldTopics(options: ToldTopicsOptions): ToldTopics {
  const { topicOf, tellsNews = () => true } = options
  const told = new Map<string, ToldText>()
  const socket = createTopicSocket({
    ...options,
    hear: (text) => {
      const topic = topicOf(text)
      // One that was let go may still be told for a moment, and then no more.
      if (topic === undefined || !use.isUsed(topic)) return
      const latest = tellsNews(text) ? text : told.get(topic)?.text
      if (latest !== undefined) told.set(topic, { text: latest, at: performance.now() })
    },
    onDown: () => told.clear(),
  })
  const use = createTopicUse((topic) => {
    socket.drop(topic)
    told.delete(topic)
  })
  return {
    follow: (topic) => {
      if (use.use(topic)) socket.want(topic)
    },
    told: (topic) => told.get(topic),
    provenAt: socket.provenAt,
    stop: () => {
      use.stop()
      socket.stop()
    },
  }
}
