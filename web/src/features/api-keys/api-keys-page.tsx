import PlusOutlined from '@ant-design/icons/PlusOutlined'
import type { KeyView } from '@tripline/proto/http/key'
import { Button, Empty, Skeleton } from 'antd'
import { useCallback, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useListKeysQuery } from '../../shared/client.ts'
import { useHasCards } from '../../shared/use-media.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Page } from '../../ui/page.tsx'
import { useFailureNotice } from '../../ui/use-failure-notice.ts'
import type { KeyDialog } from './key-actions.tsx'
import { KeyCards } from './key-cards.tsx'
import { KeyDialogs, type Opened } from './key-dialogs.tsx'
import { KeyTable } from './key-table.tsx'
import { texts } from './texts.ts'
import './api-keys.css'

/** The linked exchange accounts, and everything that can be done with them. */
export function ApiKeysPage() {
  // Whether a key can trade changes without anything done here.
  const { data: keys, error, refetch } = useListKeysQuery(undefined, { refetchOnMountOrArgChange: true })
  const [opened, setOpened] = useOpenedDialog()
  const openAbout = useCallback(
    (dialog: KeyDialog, { id }: KeyView) => setOpened({ dialog, id }),
    [setOpened],
  )
  const hasCards = useHasCards()
  useFailureNotice('keys', texts.loadFailure, error)
  const List = hasCards ? KeyCards : KeyTable
  return (
    <Page title={texts.heading} aside={<AddButton onAdd={() => setOpened({ dialog: 'add' })} />}>
      <p className="quiet keys-lead">{texts.lead}</p>
      {keys === undefined && error === undefined && <KeySkeleton />}
      {keys === undefined && error !== undefined && (
        <LoadFailure title={texts.loadFailure} error={error} onRetry={() => void refetch()} />
      )}
      {keys?.length === 0 && <NoKeys onAddPaper={() => setOpened({ dialog: 'paper' })} />}
      {keys !== undefined && keys.length > 0 && (
        <div className="key-list">
          <List keys={keys} onOpen={openAbout} />
        </div>
      )}
      <KeyDialogs opened={opened} keys={keys ?? []} onClose={() => setOpened(undefined)} />
    </Page>
  )
}

function AddButton({ onAdd }: { onAdd: () => void }) {
  return (
    <Button type="primary" icon={<PlusOutlined aria-hidden="true" />} onClick={onAdd}>
      {texts.add}
    </Button>
  )
}

function NoKeys({ onAddPaper }: { onAddPaper: () => void }) {
  return (
    <Empty image={null} description={<h2>{texts.none}</h2>}>
      <p className="quiet">{texts.noneLead}</p>
      <Button onClick={onAddPaper}>{texts.addPaper}</Button>
    </Empty>
  )
}

function KeySkeleton() {
  return (
    <div role="status" aria-label={texts.loading}>
      <Skeleton active />
    </div>
  )
}

/** The dialog that is open, at first the one that the address asks for with `?edit=<id>`, and how to change it. */
function useOpenedDialog(): [Opened | undefined, (opened: Opened | undefined) => void] {
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
