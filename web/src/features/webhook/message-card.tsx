import CodeOutlined from '@ant-design/icons/CodeOutlined'
import CopyOutlined from '@ant-design/icons/CopyOutlined'
import { Button } from 'antd'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { MessageText } from '../../ui/message-text.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import { webhookTexts } from './texts.ts'

const { messages } = webhookTexts

interface MessageCardProps {
  name: string
  message: string
  /** The text to copy, if that is not the message itself. */
  pasted?: string
  /** The terminal's text, if the message is for the charting platform only. */
  tried?: string
}

/** A message with the ways to use it. */
export function MessageCard({ name, message, pasted = message, tried = message }: MessageCardProps) {
  const navigate = useNavigate()
  const copy = useCopy()
  return (
    <article className="message-card">
      <header>
        <h3>{name}</h3>
        <Button
          size="small"
          icon={<CopyOutlined aria-hidden="true" />}
          aria-label={messages.copy(name)}
          onClick={() => void copy(pasted)}
        >
          {messages.copyShort}
        </Button>
        <Button
          size="small"
          icon={<CodeOutlined aria-hidden="true" />}
          aria-label={messages.tryOutOf(name)}
          onClick={() => void navigate(paths.terminal, { state: { message: tried } })}
        >
          {messages.tryOut}
        </Button>
      </header>
      {pasted === message ? <MessageText message={message} /> : <pre className="message-text">{pasted}</pre>}
    </article>
  )
}
