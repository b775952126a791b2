import { texts } from '../../shared/texts.ts'

/** The shape of rows that are on their way. */
export function SkeletonRows({ count }: { count: number }) {
  return (
    <div className="framed skeleton-rows" role="status" aria-label={texts.general.loading}>
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <span key={index} />
      ))}
    </div>
  )
}
