import { notification } from 'antd'
import type { NotificationInstance } from 'antd/es/notification/interface'
import { createContext, type ReactNode, useContext } from 'react'
import './notices.css'

// On phones some notices stand at the top, where the header has 56 of these pixels.
const belowHeader = 64

const NoticesContext = createContext<NotificationInstance | undefined>(undefined)

/** Shows the notices of everything within. */
export function Notices({ children }: { children: ReactNode }) {
  const [notices, shown] = notification.useNotification({
    placement: 'bottomLeft',
    top: belowHeader,
    maxCount: 3,
  })
  return (
    <NoticesContext value={notices}>
      {shown}
      {children}
    </NoticesContext>
  )
}

/** Returns what opens and closes notices. */
export function useNotices(): NotificationInstance {
  const notices = useContext(NoticesContext)
  if (notices === undefined) throw new Error('A notice needs Notices around it')
  return notices
}
