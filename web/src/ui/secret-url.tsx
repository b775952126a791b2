import EyeInvisibleOutlined from '@ant-design/icons/EyeInvisibleOutlined'
import EyeOutlined from '@ant-design/icons/EyeOutlined'
import { Button } from 'antd'
import { useState } from 'react'
import { maskedUrl } from '../shared/masked-url.ts'
import { CopyButton } from './copy-button.tsx'
import './secret-url.css'

interface SecretUrlProps {
  url: string
  texts: { copy: string; reveal: string; hide: string }
}

/** An address whose token is hidden until somebody asks. */
export function SecretUrl({ url, texts }: SecretUrlProps) {
  const [isShown, setShown] = useState(false)
  const name = isShown ? texts.hide : texts.reveal
  return (
    <div className="secret-url">
      <code>{isShown ? url : maskedUrl(url)}</code>
      <Button
        type="text"
        size="small"
        icon={isShown ? <EyeInvisibleOutlined aria-hidden="true" /> : <EyeOutlined aria-hidden="true" />}
        aria-label={name}
        title={name}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      />
      <CopyButton text={url} label={texts.copy} />
    </div>
  )
}
