import CopyOutlined from '@ant-design/icons/CopyOutlined'
import { IconButton } from './icon-button.tsx'
import { useCopy } from './use-copy.ts'

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const copy = useCopy()
  return (
    <IconButton icon={<CopyOutlined aria-hidden="true" />} label={label} onClick={() => void copy(text)} />
  )
}
