import type { KeyView } from '@tripline/proto/http/key'
import { Button, Drawer, Empty } from 'antd'
import { useGetCloseOnlyQuery } from '../../shared/client.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { CloseOnlyAddress } from './close-only-address.tsx'
import { texts } from './texts.ts'
import { useCloseOnlyChange } from './use-close-only-change.ts'

const { closeOnly: words } = texts

/** The address of a bot at which alerts can only close: made, shown, replaced and taken away. */
export function CloseOnlyDrawer({ bot, onClose }: { bot: KeyView; onClose: () => void }) {
  useFocusReturn()
  const { data, error, isLoading, refetch } = useGetCloseOnlyQuery(bot.id)
  return (
    <Drawer title={words.open(bot.label)} open size={480} onClose={onClose} loading={isLoading}>
      <p className="quiet close-only-lead">{words.lead(bot.label)}</p>
      {data === undefined && error !== undefined && (
        <LoadFailure title={words.loadFailure} error={error} onRetry={() => void refetch()} />
      )}
      {data?.webhook_url === null && <NoAddress bot={bot} />}
      {typeof data?.webhook_url === 'string' && <CloseOnlyAddress bot={bot} url={data.webhook_url} />}
    </Drawer>
  )
}

function NoAddress({ bot: { id, label } }: { bot: KeyView }) {
  const { change, isBusy } = useCloseOnlyChange(id)
  return (
    <Empty image={null} description={words.none(label)}>
      <Button type="primary" loading={isBusy} onClick={() => void change('create')}>
        {words.create}
      </Button>
    </Empty>
  )
}
