import { Input, type InputRef } from 'antd'
import type { PasswordProps } from 'antd/es/input'
import { type KeyboardEvent, type Ref, useState } from 'react'
import { texts } from '../shared/texts.ts'
import './password-field.css'

/** A field for a secret that can be shown, and that says when Caps Lock is on. */
export function PasswordField({ ref, ...props }: PasswordProps & { ref?: Ref<InputRef> }) {
  const [isCapsLock, setCapsLock] = useState(false)
  const notice = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <>
      <Input.Password
        {...props}
        {...(ref && { ref })}
        onKeyDown={notice}
        onKeyUp={notice}
        onBlur={() => setCapsLock(false)}
      />
      <p className="caps-lock" role="status">
        {isCapsLock && texts.password.capsLock}
      </p>
    </>
  )
}
