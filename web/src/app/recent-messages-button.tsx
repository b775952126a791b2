import MessageOutlined from '@ant-design/icons/MessageOutlined'
import { Button, Popover } from 'antd'
import { useState } from 'react'
import {
  type RecentMessage,
  readMessages,
  useRecentMessages,
  useUnreadCount,
} from '../shared/recent-messages.ts'
import { texts } from '../shared/texts.ts'
import { RelativeTime } from '../ui/relative-time.tsx'

/** Recent notices, for a person who looked elsewhere. */
export function RecentMessagesButton() {
  const [isOpen, setOpen] = useState(false)
  const unread = useUnreadCount()
  const label = unread === 0 ? texts.messages.open : texts.messages.unread(unread)
  const change = (open: boolean) => {
    setOpen(open)
    if (open) readMessages()
  }
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={isOpen}
      onOpenChange={change}
      content={<MessageList />}
      title={texts.messages.heading}
    >
      <Button
        type="text"
        className="messages-button"
        icon={<MessageOutlined aria-hidden="true" />}
        aria-label={label}
        title={label}
      >
        {unread > 0 && <span className="messages-unread" aria-hidden="true" />}
      </Button>
    </Popover>
  )
}

function MessageList() {
  const messages = useRecentMessages()
  if (messages.length === 0) return <p className="quiet">{texts.messages.empty}</p>
  return (
    <ul className="message-list">
      {messages.map((message) => (
        <Message key={message.number} message={message} />
      ))}
    </ul>
  )
}

const looks = {
  success: { glyph: '✓', status: 'success' },
  warning: { glyph: '!', status: 'partial' },
  error: { glyph: '✕', status: 'failed' },
  info: { glyph: 'i', status: 'note' },
}

function Message({ message: { kind, title, description, at } }: { message: RecentMessage }) {
  const { glyph, status } = looks[kind]
  return (
    <li className={`message status-${status}`}>
      <span className="message-glyph" aria-hidden="true">
        {glyph}
      </span>
      <span>
        <strong>{title}</strong>
        {description && <span className="message-description quiet small">{description}</span>}
      </span>
      <RelativeTime instant={at} />
    </li>
  )
}
