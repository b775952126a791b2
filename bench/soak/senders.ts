import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import type { Random } from '@tripline/testkit/random'
import type { Trader } from '../alert-to-order/traders.ts'
import type { Sent, Wanted } from './check-window.ts'

/** Well below the 60 alerts a minute that a webhook takes, so that some may be sent again. */
const paceMs = 1300
const againAfterMs = 500
const mostTries = 20
const patienceMs = 10_000

const Answer = WebhookAnswer.pick({ alert_id: true }).partial()

/** One answer to one attempt; the status is 0 where none came. */
export interface Answered {
  at: number
  tookMs: number
  status: number
}

/** A block of a message, and the places in it of the commands that place an order at once and after a `wait`. */
interface Block {
  label: string
  symbol: string
  commands: string
  atOnce: readonly number[]
  afterWait: readonly number[]
}

/**
 * Lets every trader send alerts until stopped, in turn by each of the addresses; their messages are noted in the list, in
 * the order of each one's sending, and so is the answer to each attempt.
 */
export async function sendOnAndOn(
  addresses: readonly [string, ...string[]],
  traders: readonly Pick<Trader, 'webhookPath' | 'labels'>[],
  random: Random,
  { sent, answered, stopping }: { sent: Sent[]; answered: Answered[]; stopping: AbortSignal },
): Promise<void> {
  const sending = traders.map(async ({ webhookPath, labels }, user) => {
    await pause(random.between(0, paceMs), stopping)
    for (let round = 0; !stopping.aborted; round++) {
      const blocks = blocksOf(labels, round, random)
      const address = addresses[user % addresses.length]
      const url = new URL(`${webhookPath}?wait=0`, address).href
      const { alertId, isAccepted } = await sendUntilAccepted(url, messageOf(blocks), answered)
      if (alertId !== undefined) {
        sent.push({
          isAccepted,
          wanted: blocks.flatMap((block, index) => wantedOf({ alertId, user, block, index })),
        })
      }
      await pause(paceMs, stopping)
    }
  })
  await Promise.all(sending)
}

/** Each bot's market orders change sides, so that no margin runs out. */
function blocksOf(labels: readonly string[], round: number, random: Random): Block[] {
  const labelAt = (index: number): string => labels[index % labels.length] ?? ''
  const side = Math.floor(round / labels.length) % 2 === 0 ? 'buy' : 'sell'
  const blocks: Block[] = [
    {
      label: labelAt(round),
      symbol: 'BTCUSDT',
      commands: `market(${side}, 0.01)`,
      atOnce: [0],
      afterWait: [],
    },
  ]
  const kind = random.next()
  const more = { label: labelAt(round + 2), symbol: 'ETHUSDT' }
  if (kind < 0.2) {
    const seconds = random.between(1, 4)
    const commands = `market(buy, 0.1); wait(${seconds}); market(sell, 0.1)`
    blocks.push({ ...more, commands, atOnce: [0], afterWait: [2] })
  } else if (kind < 0.5) {
    blocks.push({ ...more, commands: 'market(buy, 0.1); market(sell, 0.1)', atOnce: [0, 1], afterWait: [] })
  }
  return blocks
}

function messageOf(blocks: readonly Block[]): string {
  const lines = blocks.map(({ label, symbol, commands }) => `${label}(${symbol}) { ${commands} }`)
  return [`@id ${randomUUID()}`, ...lines].join('\n')
}

function wantedOf({
  alertId,
  user,
  block: { label, symbol, atOnce, afterWait },
  index,
}: {
  alertId: string
  user: number
  block: Block
  index: number
}): Wanted[] {
  const one = (command: number, lane: string | undefined): Wanted => ({
    clientOrderId: `t${alertId}${index}${command.toString().padStart(2, '0')}00`,
    executionId: `${alertId}-${index}`,
    lane,
  })
  return [
    ...atOnce.map((command) => one(command, `${user} ${label} ${symbol}`)),
    ...afterWait.map((command) => one(command, undefined)),
  ]
}

/** Sends the same message again and again, as charting platforms do where the answer is none or says so. */
async function sendUntilAccepted(
  url: string,
  body: string,
  answered: Answered[],
): Promise<{ alertId: string | undefined; isAccepted: boolean }> {
  let alertId: string | undefined
  for (let tries = 0; tries < mostTries; tries++) {
    const at = performance.now()
    const answer = await post(url, body)
    answered.push({ at, tookMs: performance.now() - at, status: answer?.status ?? 0 })
    alertId = answer?.alertId ?? alertId
    if (answer !== undefined && answer.status < 300) return { alertId, isAccepted: true }
    if (answer !== undefined && ![429, 502, 503, 504].includes(answer.status)) {
      throw new Error(`An alert was answered ${answer.status}: ${answer.text}`)
    }
    await sleep(againAfterMs)
  }
  return { alertId, isAccepted: false }
}

async function post(url: string, body: string) {
  try {
    const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(patienceMs) })
    const text = await response.text()
    return { status: response.status, text, alertId: Answer.parse(JSON.parse(text)).alert_id }
  } catch {
    return undefined
  }
}

async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stopping }).catch(() => undefined)
}
