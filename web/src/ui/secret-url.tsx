import EyeInvisibleOutlined from '@ant-design/icons/EyeInvisibleOutlined'
import EyeOutlined from '@ant-design/icons/EyeOutlined'
import { useState } from 'react'
import { maskedUrl } from '../shared/masked-url.ts'
import { CopyButton } from './copy-button.tsx'
import { IconButton } from './icon-button.tsx'
import './secret-url.css'

interface SecretUrlProps {
  url: string
  texts: { copy: string; reveal: string; hide: string }
}

/** An address whose token is hidden until somebody asks. */
export function SecretUrl({ url, texts }: SecretUrlProps) {
  const [isShown, setShown] = useState(false)
  return (
    <div className="secret-url">
      <code>{isShown ? url : maskedUrl(url)}</code>
      <IconButton
        icon={isShown ? <EyeInvisibleOutlined aria-hidden="true" /> : <EyeOutlined aria-hidden="true" />}
        label={isShown ? texts.hide : texts.reveal}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      />
      <CopyButton text={url} label={texts.copy} />
    </div>
  )
}
