import { useSyncExternalStore } from 'react'

/** A notice as it is stored for those who looked elsewhere. */
export interface RecentMessage {
  number: number
  kind: 'success' | 'warning' | 'error' | 'info'
  title: string
  description?: string | undefined
  /** ISO instant. */
  at: string
}

const mostMessages = 20
const listeners = new Set<() => void>()
let messages: readonly RecentMessage[] = []
let readUpTo = 0

/** Keeps a notice among the recent ones. */
export function keepMessage(message: Pick<RecentMessage, 'kind' | 'title' | 'description'>): void {
  const number = (messages[0]?.number ?? 0) + 1
  messages = [{ ...message, number, at: new Date().toISOString() }, ...messages].slice(0, mostMessages)
  notify()
}

/** Marks everything that was said as read. */
export function readMessages(): void {
  readUpTo = messages[0]?.number ?? 0
  notify()
}

/** The recent notices, newest first. */
export function useRecentMessages(): readonly RecentMessage[] {
  return useSyncExternalStore(subscribe, () => messages)
}

/** Returns the number of recent notices that nobody has looked at in the list. */
export function useUnreadCount(): number {
  return useSyncExternalStore(subscribe, () => messages.filter(({ number }) => number > readUpTo).length)
}

function notify() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
