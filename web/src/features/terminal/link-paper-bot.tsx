import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { BotLabel } from '@tripline/proto/user-config'
import { Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { failureList } from '../../shared/failure.ts'
import { texts } from '../../shared/texts.ts'
import { useToast } from '../../ui/toast.ts'
import { useLinkPaperBotMutation } from './terminal-api.ts'

interface LinkPaperBotProps {
  /** True when there is no bot yet, so that this is the thing to do. */
  isFirst: boolean
  onLinked: (label: string) => void
}

/** Opens a dialog that links a bot to a new account on the paper exchange. */
export function LinkPaperBot({ isFirst, onLinked }: LinkPaperBotProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        type={isFirst ? 'primary' : 'text'}
        size="small"
        icon={<PlusOutlined />}
        onClick={() => setOpen(true)}
      >
        {texts.keys.linkPaper}
      </Button>
      <PaperBotDialog isOpen={isOpen} onClose={() => setOpen(false)} onLinked={onLinked} />
    </>
  )
}

interface PaperBotDialogProps {
  isOpen: boolean
  onClose: () => void
  onLinked: (label: string) => void
}

function PaperBotDialog({ isOpen, onClose, onLinked }: PaperBotDialogProps) {
  const [form] = Form.useForm<{ label: string }>()
  const [link, { isLoading }] = useLinkPaperBotMutation()
  const toast = useToast()

  async function submit({ label }: { label: string }) {
    try {
      await link(label.trim()).unwrap()
      toast.success({ title: texts.keys.addSuccess })
      onClose()
      onLinked(label.trim())
    } catch (cause) {
      toast.error({ title: texts.keys.addFailure, description: failureList(cause) })
    }
  }
  return (
    <Modal
      title={texts.keys.linkPaper}
      open={isOpen}
      okText={texts.keys.link}
      cancelText={texts.keys.cancel}
      confirmLoading={isLoading}
      onOk={form.submit}
      onCancel={onClose}
      destroyOnHidden
      width={420}
    >
      <p className="quiet">{texts.keys.paperNote}</p>
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        preserve={false}
        onFinish={(v) => void submit(v)}
      >
        <Form.Item name="label" label={texts.keys.label} rules={[{ validator: checkLabel }]} validateFirst>
          <Input autoFocus maxLength={60} autoComplete="off" />
        </Form.Item>
      </Form>
    </Modal>
  )
}

async function checkLabel(_rule: unknown, label: string | undefined) {
  if (!label?.trim()) throw new Error(texts.keys.labelRequired)
  const checked = BotLabel.safeParse(label.trim())
  if (!checked.success) throw new Error(checked.error.issues[0]?.message)
}
