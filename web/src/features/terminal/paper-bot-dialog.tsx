import { BotLabel } from '@tripline/proto/user-config'
import { Form, type FormInstance, Input, Modal } from 'antd'
import { failureList } from '../../shared/failure.ts'
import { texts } from '../../shared/texts.ts'
import { useToast } from '../../ui/toast.ts'
import { useLinkPaperBotMutation } from './terminal-api.ts'

interface PaperBotForm {
  label: string
}

interface PaperBotDialogProps {
  isOpen: boolean
  /** With the label of the bot that was linked, if one was. */
  onClose: (label?: string) => void
}

/** Asks for a label and links a Paper bot under it. */
export function PaperBotDialog({ isOpen, onClose }: PaperBotDialogProps) {
  const [form] = Form.useForm<PaperBotForm>()
  const [link, { isLoading }] = useLinkPaperBotMutation()
  const toast = useToast()

  async function submit(label: string) {
    try {
      await link(label).unwrap()
      toast.success({ title: texts.keys.addSuccess })
      onClose(label)
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
      onCancel={() => onClose()}
      destroyOnHidden
      width={420}
    >
      <p className="quiet">{texts.keys.paperNote}</p>
      <LabelForm form={form} onSubmit={(label) => void submit(label)} />
    </Modal>
  )
}

interface LabelFormProps {
  form: FormInstance<PaperBotForm>
  onSubmit: (label: string) => void
}

function LabelForm({ form, onSubmit }: LabelFormProps) {
  return (
    <Form
      form={form}
      className="paper-bot-form"
      layout="vertical"
      requiredMark={false}
      preserve={false}
      onFinish={({ label }) => onSubmit(label.trim())}
    >
      <Form.Item name="label" label={texts.keys.label} rules={[{ validator: checkLabel }]}>
        <Input autoFocus autoComplete="off" />
      </Form.Item>
    </Form>
  )
}

async function checkLabel(_rule: unknown, label: string | undefined) {
  if (!label?.trim()) throw new Error(texts.keys.labelRequired)
  const checked = BotLabel.safeParse(label.trim())
  if (!checked.success) throw new Error(checked.error.issues[0]?.message)
}
