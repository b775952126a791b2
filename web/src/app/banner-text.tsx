/** The words of a banner behind its glyph, one part of the row, so that they never stand below the glyph. */
export function BannerText({ glyph, text }: { glyph: string; text: string }) {
  return (
    <span>
      <span aria-hidden="true">{glyph}</span> {text}
    </span>
  )
}
