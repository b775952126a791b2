import UndoOutlined from '@ant-design/icons/UndoOutlined'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useResetKeyMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { texts } from '../../shared/texts.ts'
import { useToast } from '../../ui/toast.ts'

/** Gives a Paper bot its opening balance back, once that is confirmed: what it held cannot be had again. */
export function ResetPaperBot({ id, label }: { id: string; label: string }) {
  const [isOpen, setOpen] = useState(false)
  const [reset, { isLoading }] = useResetKeyMutation()
  const toast = useToast()

  async function confirm() {
    try {
      await reset(id).unwrap()
      toast.success({ title: texts.keys.resetSuccess })
      setOpen(false)
    } catch (cause) {
      toast.error({ title: texts.keys.resetFailure, description: failureText(cause) })
    }
  }
  return (
    <>
      <Button type="text" size="small" icon={<UndoOutlined />} onClick={() => setOpen(true)}>
        {texts.keys.reset}
      </Button>
      <Modal
        title={texts.keys.resetTitle(label)}
        open={isOpen}
        okText={texts.keys.reset}
        okButtonProps={{ danger: true }}
        cancelText={texts.keys.cancel}
        confirmLoading={isLoading}
        onOk={() => void confirm()}
        onCancel={() => setOpen(false)}
        destroyOnHidden
        width={420}
      >
        <p className="quiet">{texts.keys.resetNote}</p>
      </Modal>
    </>
  )
}
