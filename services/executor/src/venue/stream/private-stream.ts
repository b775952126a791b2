import { now } from '@tripline/kit/time/clock'
import type { StreamWitness, VenueOrder } from '../../domain/order/order.ts'
import type { StreamSubscription } from '../account/account-listener.ts'
import { createExpectations, type Expectations } from '../account/expectation.ts'
import { type LiveSocket, witnessOf } from '../socket/live-socket.ts'
import type { Venue, VenueEvent } from '../venue.ts'

/** Receives what a connection reports. */
export interface StreamReceiver<Update> {
  onOrder: (update: Update) => void
  /** Something was reported that cannot be read. */
  onGap: () => void
  /** Called when it reports everything from now on; it did not report earlier events. */
  onLive: () => void
  /** Called when the connection is gone; the next one is being opened. */
  onDown: () => void
}

/** A venue's own way with the private stream of an account. */
export interface StreamDialect<Update> {
  open: (receiver: StreamReceiver<Update>) => LiveSocket
  /** Takes in a report; returns it as the order stands by all of them, undefined where that was known already. */
  receive: (update: Update) => Update | undefined
  /** Receives each order that an update changed. */
  onOrder?: (update: Update) => void
  /** Looks for what a live connection does not report; returns what ends that. */
  watch: () => () => void
  /** Called where something may have happened that is not reported. */
  onGap: () => void
  /** Called where a connection ended. */
  onDown: () => void
  /** Time before a connection was live within which changes need not be reported. */
  slackMs?: number
}

/** The private stream of an account, which is there while it has a follower or a holder. */
export interface PrivateStream<Update> {
  follow: NonNullable<Venue['follow']>
  /** Has it there, until that is stopped. */
  hold: () => () => void
  /** Waits for what it reports on one order. */
  expect: Expectations<Update>['expect']
  /** True while there is a stream that reports. */
  isLive: () => boolean
  /** Since when it has reported everything, and until when that is sure; undefined while there is none. */
  witness: () => StreamWitness | undefined
  /** Shows that the connection is there, and has it made anew where it does not report, however alive it looks. */
  link: Pick<StreamSubscription, 'ping' | 'verifiedUntil' | 'renew'>
}

/** A private stream without followers yet. */
export function createPrivateStream<Update extends { order: VenueOrder }>(
  dialect: StreamDialect<Update>,
): PrivateStream<Update> {
  const { receive, onOrder, watch, onGap, onDown, slackMs = 0 } = dialect
  const followers = new Set<(event: VenueEvent) => void>()
  const { expect, publish: settle } = createExpectations<Update>()
  let holders = 0
  let socket: LiveSocket | undefined
  // Since when it has reported everything, by our clock.
  let liveSince: number | undefined
  let stopWatching = (): void => undefined
  const publish = (event: VenueEvent): void => {
    for (const follower of followers) follower(event)
  }
  const beginAnew = (): void => {
    liveSince = now() + slackMs
    onGap()
    publish({ kind: 'gap' })
  }
  const goDown = (): void => {
    liveSince = undefined
    stopWatching()
    onDown()
  }
  const receiver: StreamReceiver<Update> = {
    onOrder: (update) => {
      const latest = receive(update)
      if (latest === undefined) return
      onOrder?.(latest)
      settle(latest)
      publish({ kind: 'order', order: latest.order })
    },
    onGap: beginAnew,
    onLive: () => {
      stopWatching()
      stopWatching = watch()
      beginAnew()
    },
    onDown: goDown,
  }
  const hold = (): (() => void) => {
    holders++
    socket ??= dialect.open(receiver)
    let isHeld = true
    return () => {
      if (isHeld) holders--
      isHeld = false
      if (holders > 0) return
      socket?.stop()
      socket = undefined
      goDown()
    }
  }
  return {
    hold,
    follow: (listener) => {
      followers.add(listener)
      if (liveSince !== undefined) queueMicrotask(() => followers.has(listener) && listener({ kind: 'gap' }))
      const release = hold()
      return () => {
        if (followers.delete(listener)) release()
      }
    },
    expect,
    isLive: () => liveSince !== undefined,
    witness: () => (liveSince === undefined ? undefined : witnessOf(liveSince, socket)),
    link: {
      ping: () => socket?.ping(),
      verifiedUntil: () => socket?.verifiedUntil(),
      renew: () => {
        // Any other missed report is no reason to give up the next connection too.
        liveSince = undefined
        socket?.renew('silent')
      },
    },
  }
}
