import UndoOutlined from '@ant-design/icons/UndoOutlined'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useResetKeyMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { useToast } from '../../ui/toast.ts'
import { paperBotTexts } from './texts.ts'

/** Gives a Paper bot its opening balance back, once that is confirmed: what it held cannot be had again. */
export function ResetPaperBot({ id, label }: { id: string; label: string }) {
  const [isOpen, setOpen] = useState(false)
  const [reset, { isLoading }] = useResetKeyMutation()
  const toast = useToast()

  async function confirm() {
    try {
      await reset(id).unwrap()
      toast.success({ title: paperBotTexts.resetSuccess })
      setOpen(false)
    } catch (cause) {
      toast.error({ title: paperBotTexts.resetFailure, description: failureText(cause) })
    }
  }
  return (
    <>
      <Button type="text" size="small" icon={<UndoOutlined />} onClick={() => setOpen(true)}>
        {paperBotTexts.reset}
      </Button>
      <Modal
        title={paperBotTexts.resetTitle(label)}
        open={isOpen}
        okText={paperBotTexts.reset}
        okButtonProps={{ danger: true }}
        cancelText={paperBotTexts.cancel}
        confirmLoading={isLoading}
        onOk={() => void confirm()}
        onCancel={() => setOpen(false)}
        destroyOnHidden
        width={420}
      >
        <p className="quiet">{paperBotTexts.resetNote}</p>
      </Modal>
    </>
  )
}
