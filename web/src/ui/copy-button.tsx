import CopyOutlined from '@ant-design/icons/CopyOutlined'
import { Button } from 'antd'
import { texts } from '../shared/texts.ts'
import { useToast } from './toast.ts'

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const toast = useToast()
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast.success({ title: texts.general.copied })
    } catch {
      toast.error({ title: texts.general.copyFailed })
    }
  }
  return (
    <Button
      type="text"
      size="small"
      icon={<CopyOutlined aria-hidden="true" />}
      aria-label={label}
      title={label}
      onClick={() => void copy()}
    />
  )
}
