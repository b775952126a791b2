import { App } from 'antd'
import { useMemo } from 'react'

/** How long a notice stays, in seconds. */
const shownS = { cleared: 2, done: 3, failed: 5 }

/** Something short to tell; the same key replaces what was shown under it. */
export interface Notice {
  title: string
  description?: string
  key?: string
}

export interface Toast {
  success(notice: Notice): void
  warning(notice: Notice): void
  error(notice: Notice): void
  /** A short remark, gone after two seconds. */
  remark(notice: Notice): void
}

/** Shows notices; failures interrupt a screen reader, the rest waits its turn. */
export function useToast(): Toast {
  const { notification } = App.useApp()
  return useMemo(
    () => ({
      success: (notice) => notification.success({ ...notice, duration: shownS.done, role: 'status' }),
      warning: (notice) => notification.warning({ ...notice, duration: shownS.done, role: 'alert' }),
      error: (notice) => notification.error({ ...notice, duration: shownS.failed, role: 'alert' }),
      remark: (notice) => notification.info({ ...notice, duration: shownS.cleared, role: 'status' }),
    }),
    [notification],
  )
}
