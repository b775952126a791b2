import type { Log } from '@tripline/kit/telemetry/log'
import { openPushedTopics, type PushedTopics } from '../../socket/pushed-topics.ts'

/** Topics of an address of combined streams; nothing is opened before one is followed. */
export function openTopics(address: string, name: string, log: Log): PushedTopics {
  let asked = 0
  return openPushedTopics({
    address,
    name,
    log,
    messageOf: (act, params) => JSON.stringify({ method: act.toUpperCase(), params, id: ++asked }),
    topicOf,
  })
}

const beforeTopic = '{"stream":"'

function topicOf(text: string): string | undefined {
  if (!text.startsWith(beforeTopic)) return undefined
  return text.slice(beforeTopic.length, text.indexOf('"', beforeTopic.length))
}
