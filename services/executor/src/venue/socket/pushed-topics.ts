import { createTopicSocket, type TopicSocket, type TopicSocketOptions } from './topic-socket.ts'
import { createTopicUse } from './topic-use.ts'

/** The last that was reported a topic. */
export interface PushedText {
  text: string
  at: number
}

/** Reports of public topics, for those that are followed. */
export interface PushedTopics {
  follow: (topic: string) => void
  latest: (topic: string) => PushedText | undefined
  /** Until when all that was reported was received; undefined while nothing shows it. */
  verifiedUntil: TopicSocket['verifiedUntil']
  stop: () => void
}

export interface PushedTopicsOptions
  extends Pick<TopicSocketOptions, 'address' | 'name' | 'log' | 'messageOf' | 'ping'> {
  /** The topic of which a text reports. */
  topicOf: (text: string) => string | undefined
  /** False where a text reports that nothing changed of what is wanted: then the last one still reports it. */
  isUpdate?: (text: string) => boolean
}

/** The last that was reported on each topic, as text: of a thousand that are reported one is looked at. */
export function openPushedTopics(options: PushedTopicsOptions): PushedTopics {
  const { topicOf, isUpdate = () => true } = options
  const update = new Map<string, PushedText>()
  const socket = createTopicSocket({
    ...options,
    receive: (text) => {
      const topic = topicOf(text)
      // A topic that was dropped may still be reported for a moment.
      if (topic === undefined || !use.isUsed(topic)) return
      const latest = isUpdate(text) ? text : update.get(topic)?.text
      if (latest !== undefined) update.set(topic, { text: latest, at: performance.now() })
    },
    onDown: () => update.clear(),
  })
  const use = createTopicUse((topic) => {
    socket.drop(topic)
    update.delete(topic)
  })
  return {
    follow: (topic) => {
      if (use.use(topic)) socket.want(topic)
    },
    latest: (topic) => update.get(topic),
    verifiedUntil: socket.verifiedUntil,
    stop: () => {
      use.stop()
      socket.stop()
    },
  }
}
