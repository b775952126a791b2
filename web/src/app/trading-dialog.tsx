import { Modal } from 'antd'
import { texts } from '../shared/texts.ts'
import { useTradingSwitch } from './use-trading-switch.ts'

interface TradingDialogProps {
  isOpen: boolean
  /** What is about to be done. */
  to: 'active' | 'reducing'
  onClose: () => void
}

/** Says what a change of the trading state does, and does it. */
export function TradingDialog({ isOpen, to, onClose }: TradingDialogProps) {
  const { change, isBusy } = useTradingSwitch()
  const { trading } = texts
  const isPause = to === 'reducing'
  const confirm = async () => {
    if (await change(to)) onClose()
  }
  return (
    <Modal
      title={isPause ? trading.pauseTitle : trading.resumeTitle}
      open={isOpen}
      okText={isPause ? trading.pause : trading.resume}
      cancelText={trading.cancel}
      confirmLoading={isBusy}
      onOk={() => void confirm()}
      onCancel={onClose}
      destroyOnHidden
      width={420}
    >
      <p className="quiet">{isPause ? trading.pauseNote : trading.resumeNote}</p>
    </Modal>
  )
}
