import SendOutlined from '@ant-design/icons/SendOutlined'
import { Button } from 'antd'
import { terminalTexts } from './texts.ts'

interface ExecuteButtonProps {
  /** A message is on its way, or the webhook's address is being asked for. */
  isBusy: boolean
  /** False until the webhook's address is known. */
  isReady: boolean
  onClick: () => void
}

/** Sends the message. */
export function ExecuteButton({ isBusy, isReady, onClick }: ExecuteButtonProps) {
  return (
    <div className="execute">
      <Button
        type="primary"
        size="large"
        icon={<SendOutlined aria-hidden="true" />}
        // Not disabled while it waits, or Tab would go past it.
        loading={isBusy}
        title={isReady ? undefined : terminalTexts.notReady}
        onClick={onClick}
      >
        {terminalTexts.execute}
      </Button>
      <span className="quiet execute-shortcut">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd>
      </span>
    </div>
  )
}
