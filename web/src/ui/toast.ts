import type { NotificationInstance } from 'antd/es/notification/interface'
import { type FocusEvent, type ReactNode, useMemo } from 'react'
import { keepMessage } from '../shared/recent-messages.ts'
import { noticePlacement } from './notice-placement.ts'
import { useNotices } from './notices.tsx'

/** A short message; the same key replaces what was shown under it. */
export interface Notice {
  title: string
  description?: string
  key?: string
  /** The actions on it, such as a button that undoes it. */
  actions?: ReactNode
  /** True where another screen follows: nothing of this one is pressed any more, and that one begins at the top. */
  isLeaving?: boolean
}

export interface Toast {
  success(notice: Notice): void
  warning(notice: Notice): void
  error(notice: Notice): void
  /** A short remark, gone after two seconds. */
  remark(notice: Notice): void
}

/** The time that a notice stays, in seconds, and whether it interrupts a screen reader. */
const manners = {
  success: { duration: 3, role: 'status' },
  warning: { duration: 3, role: 'alert' },
  error: { duration: 5, role: 'alert' },
  info: { duration: 2, role: 'status' },
} as const

type Kind = keyof typeof manners

/** Shows notices, which stay among the recent messages; failures interrupt a screen reader, the rest waits its turn. */
export function useToast(): Toast {
  const notices = useNotices()
  return useMemo(
    () => ({
      success: (notice) => show(notices, 'success', notice),
      warning: (notice) => show(notices, 'warning', notice),
      error: (notice) => show(notices, 'error', notice),
      remark: (notice) => show(notices, 'info', notice),
    }),
    [notices],
  )
}

// A day. A notice that is made lasting while its time runs is closed by antd at once.
const shownSeconds = 86_400

let shown = 0

/** Shows a notice until its time is over; while the pointer or the keyboard is on it, that does not run. */
function show(notices: NotificationInstance, kind: Kind, { isLeaving, ...notice }: Notice): void {
  keepMessage({ kind, title: notice.title, description: notice.description })
  shown += 1
  const { duration, role } = manners[kind]
  // A notice that replaces another gets a time of its own only if that differs from the other's.
  const seconds = duration + (shown % 2) / 1000
  const placement = isLeaving ? 'bottomLeft' : noticePlacement()
  const shared = { ...notice, key: notice.key ?? `notice-${shown}`, role, placement }
  let isClosed = false
  const onClose = () => {
    isClosed = true
  }
  // antd waits for the pointer only. Opened again under its key, a notice stays where it is.
  const open = (forSeconds: number) =>
    notices[kind]({
      ...shared,
      duration: forSeconds,
      onClose,
      props: { onFocus: keep, onBlur: release },
    })
  const keep = () => open(shownSeconds)
  const release = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!isClosed && !currentTarget.contains(relatedTarget)) open(seconds)
  }
  open(seconds)
}
