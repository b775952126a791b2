import type { KeyView } from '@tripline/proto/http/key'
import { Modal } from 'antd'
import { useResetKeyMutation } from '../../shared/client.ts'
import { useCallWithToast } from '../use-call-with-toast.ts'
import { useFocusReturn } from '../use-focus-return.ts'
import { paperTexts } from './paper-texts.ts'

const { cancel, reset: words } = paperTexts

interface ResetPaperDialogProps {
  bot: Pick<KeyView, 'id' | 'label'>
  onClose: () => void
}

/** Gives a Paper bot its opening balance back, once that is confirmed: what it held cannot be had again. */
export function ResetPaperDialog({ bot: { id, label }, onClose }: ResetPaperDialogProps) {
  useFocusReturn()
  const [reset, { isLoading }] = useResetKeyMutation()
  const withToast = useCallWithToast()
  async function confirm() {
    if (await withToast(reset(id).unwrap(), words)) onClose()
  }
  return (
    <Modal
      title={words.title(label)}
      open
      okText={words.confirm}
      okButtonProps={{ danger: true }}
      cancelText={cancel}
      confirmLoading={isLoading}
      onOk={() => void confirm()}
      onCancel={onClose}
      width={420}
    >
      <p className="quiet">{words.note}</p>
    </Modal>
  )
}
