import { Modal } from 'antd'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { MessageText } from '../../ui/message-text.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { texts } from './texts.ts'

/** A message that is about to be carried to the terminal. */
export interface Exit {
  title: string
  message: string
  /** The number of symbols that it has no room for. */
  leftOut: number
  /** The bots whose accounts could not be read. */
  unread?: readonly string[]
}

/** Shows the message of an exit, and carries it to the terminal once that is confirmed: only there is it sent. */
export function ExitDialog({ exit, onClose }: { exit: Exit; onClose: () => void }) {
  useFocusReturn()
  const navigate = useNavigate()
  const { dialog: words } = texts
  const { title, message, leftOut, unread = [] } = exit
  return (
    <Modal
      title={title}
      open
      okText={words.confirm}
      okButtonProps={{ autoFocus: true }}
      cancelText={words.cancelIt}
      onOk={() => void navigate(paths.terminal, { state: { message, isQuickAction: true } })}
      onCancel={onClose}
      width={520}
    >
      <div className="stack">
        <MessageText message={message} />
        {leftOut > 0 && <p>{words.more(leftOut)}</p>}
        {unread.length > 0 && <p>{words.unread(unread.join(', '))}</p>}
        <p className="quiet">{words.note}</p>
      </div>
    </Modal>
  )
}
