import type { TradingState } from '@tripline/proto/user-config'
import { Button, Modal } from 'antd'
import { useNavigate } from 'react-router-dom'
import { closesEverything, paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import { useTradingSwitch } from './use-trading-switch.ts'

interface TradingDialogProps {
  isOpen: boolean
  /** The state that is about to be set. */
  to: 'active' | 'reducing'
  onClose: () => void
}

/**
 * Says what a change of the trading state does, and does it; a person who pauses may halt instead, or close everything.
 */
export function TradingDialog({ isOpen, to, onClose }: TradingDialogProps) {
  const { change, isBusy } = useTradingSwitch()
  const navigate = useNavigate()
  const { trading } = texts
  const isPause = to === 'reducing'
  const confirm = async (state: TradingState, isCloseWanted = false) => {
    if (!(await change(state))) return
    onClose()
    if (isCloseWanted) await navigate(paths.positions, { state: closesEverything })
  }
  return (
    <Modal
      title={isPause ? trading.pauseTitle : trading.resumeTitle}
      open={isOpen}
      okText={isPause ? trading.pause : trading.resume}
      // Else the button that closes it has the focus, and Enter changes nothing without a word.
      okButtonProps={{ autoFocus: true }}
      cancelText={trading.cancel}
      confirmLoading={isBusy}
      onOk={() => void confirm(to)}
      onCancel={onClose}
      destroyOnHidden
      width={420}
    >
      <p className="quiet">{isPause ? trading.pauseNote : trading.resumeNote}</p>
      {isPause && (
        <div className="trading-more">
          <p className="quiet">{trading.pauseAndCloseNote}</p>
          <Button danger disabled={isBusy} onClick={() => void confirm('reducing', true)}>
            {trading.pauseAndClose}
          </Button>
          <p className="quiet">{trading.haltNote}</p>
          <Button danger disabled={isBusy} onClick={() => void confirm('halted')}>
            {trading.halt}
          </Button>
        </div>
      )}
    </Modal>
  )
}
