import { BotLabel } from '@tripline/proto/user-config'
import { Form, type FormInstance, Input, Modal, Radio } from 'antd'
import { useCreateKeyMutation } from '../../shared/client.ts'
import { failureList } from '../../shared/failure.ts'
import { useToast } from '../../ui/toast.ts'
import { paperBotTexts } from './texts.ts'

/** What a Paper bot is linked from. */
interface NewPaperBot {
  label: string
  market: 'futures' | 'spot'
}

interface PaperBotDialogProps {
  isOpen: boolean
  /** With the label of the bot that was linked, if one was. */
  onClose: (label?: string) => void
}

const markets = [
  { value: 'futures', label: paperBotTexts.futures },
  { value: 'spot', label: paperBotTexts.spot },
]

/** Asks for a label and a market, and links a Paper bot under them. */
export function PaperBotDialog({ isOpen, onClose }: PaperBotDialogProps) {
  const [form] = Form.useForm<NewPaperBot>()
  const [link, { isLoading }] = useCreateKeyMutation()
  const toast = useToast()

  async function submit(bot: NewPaperBot) {
    try {
      await link({ label: bot.label, exchange: 'paper', market_type: bot.market }).unwrap()
      toast.success({ title: paperBotTexts.addSuccess })
      onClose(bot.label)
    } catch (cause) {
      toast.error({ title: paperBotTexts.addFailure, description: failureList(cause) })
    }
  }
  return (
    <Modal
      title={paperBotTexts.linkPaper}
      open={isOpen}
      okText={paperBotTexts.link}
      cancelText={paperBotTexts.cancel}
      confirmLoading={isLoading}
      onOk={form.submit}
      onCancel={() => onClose()}
      destroyOnHidden
      width={420}
    >
      <p className="quiet">{paperBotTexts.paperNote}</p>
      <BotForm form={form} onSubmit={(bot) => void submit(bot)} />
    </Modal>
  )
}

interface BotFormProps {
  form: FormInstance<NewPaperBot>
  onSubmit: (bot: NewPaperBot) => void
}

function BotForm({ form, onSubmit }: BotFormProps) {
  return (
    <Form
      form={form}
      className="paper-bot-form"
      layout="vertical"
      requiredMark={false}
      preserve={false}
      initialValues={{ market: 'futures' }}
      onFinish={({ label, market }) => onSubmit({ label: label.trim(), market })}
    >
      <Form.Item name="label" label={paperBotTexts.label} rules={[{ validator: checkLabel }]}>
        <Input autoFocus autoComplete="off" />
      </Form.Item>
      <Form.Item name="market" label={paperBotTexts.market}>
        <Radio.Group options={markets} optionType="button" />
      </Form.Item>
    </Form>
  )
}

async function checkLabel(_rule: unknown, label: string | undefined) {
  if (!label?.trim()) throw new Error(paperBotTexts.labelRequired)
  const checked = BotLabel.safeParse(label.trim())
  if (!checked.success) throw new Error(checked.error.issues[0]?.message)
}
