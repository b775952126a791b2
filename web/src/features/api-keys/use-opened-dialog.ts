import { useCallback, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Opened } from './key-dialogs.tsx'

/** The dialog that is open, at first the one that the address asks for with `?edit=<id>`, and how to change it. */
export function useOpenedDialog(): [Opened | undefined, (opened: Opened | undefined) => void] {
  const [address, setAddress] = useSearchParams()
  const edited = address.get('edit')
  const [opened, setOpened] = useState<Opened | undefined>(
    edited === null ? undefined : { dialog: 'edit', id: edited },
  )
  const change = useCallback(
    (next: Opened | undefined) => {
      setOpened(next)
      if (edited !== null) setAddress({}, { replace: true })
    },
    [edited, setAddress],
  )
  return [opened, change]
}
