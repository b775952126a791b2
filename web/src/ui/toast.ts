import { App } from 'antd'
import type { NotificationInstance } from 'antd/es/notification/interface'
import { type ReactNode, useMemo } from 'react'
import { keepMessage } from '../shared/recent-messages.ts'

/** Something short to tell; the same key replaces what was shown under it. */
export interface Notice {
  title: string
  description?: string
  key?: string
  /** What can be done about it, such as a button that undoes it. */
  actions?: ReactNode
}

export interface Toast {
  success(notice: Notice): void
  warning(notice: Notice): void
  error(notice: Notice): void
  /** A short remark, gone after two seconds. */
  remark(notice: Notice): void
}

/** How long a notice stays, in seconds, and whether it interrupts a screen reader. */
const manners = {
  success: { duration: 3, role: 'status' },
  warning: { duration: 3, role: 'alert' },
  error: { duration: 5, role: 'alert' },
  info: { duration: 2, role: 'status' },
} as const

/** Shows notices, which stay among the recent messages; failures interrupt a screen reader, the rest waits its turn. */
export function useToast(): Toast {
  const { notification } = App.useApp()
  return useMemo(
    () => ({
      success: (notice) => show(notification, 'success', notice),
      warning: (notice) => show(notification, 'warning', notice),
      error: (notice) => show(notification, 'error', notice),
      remark: (notice) => show(notification, 'info', notice),
    }),
    [notification],
  )
}

function show(notification: NotificationInstance, kind: keyof typeof manners, notice: Notice) {
  keepMessage({ kind, title: notice.title, description: notice.description })
  notification[kind]({ ...notice, ...manners[kind] })
}
