import type { KeyView } from '@tripline/proto/http/key'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useResetKeyMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { useToast } from '../../ui/toast.ts'
import { texts } from './texts.ts'

const { paper: words } = texts

/** Gives a Paper bot its opening balance back, once that is confirmed: what it held cannot be had again. */
export function ResetPaper({ bot: { id, label } }: { bot: KeyView }) {
  const [isOpen, setOpen] = useState(false)
  const [reset, { isLoading }] = useResetKeyMutation()
  const toast = useToast()
  async function confirm() {
    try {
      await reset(id).unwrap()
      toast.success({ title: words.success })
      setOpen(false)
    } catch (cause) {
      toast.error({ title: words.failure, description: failureText(cause) })
    }
  }
  return (
    <section className="form-step" aria-label={words.account}>
      <h2>{words.account}</h2>
      <p className="form-note">{words.note}</p>
      <Button danger onClick={() => setOpen(true)}>
        {words.reset}
      </Button>
      <Modal
        title={words.resetTitle(label)}
        open={isOpen}
        okText={words.reset}
        okButtonProps={{ danger: true }}
        cancelText={texts.cancel}
        confirmLoading={isLoading}
        onOk={() => void confirm()}
        onCancel={() => setOpen(false)}
        destroyOnHidden
        width={420}
      >
        <p className="quiet">{words.note}</p>
      </Modal>
    </section>
  )
}
