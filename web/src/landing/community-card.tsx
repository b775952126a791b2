import { landingTexts } from './landing-texts.ts'
import { siteLinks } from './site-links.ts'

const { heading, note, link } = landingTexts.community

/** The way to the community. */
export function CommunityCard() {
  return (
    <section className="box community" aria-labelledby="community">
      <h2 id="community">{heading}</h2>
      <p className="quiet">{note}</p>
      <a className="button" href={siteLinks.communityUrl} target="_blank" rel="noopener">
        {link}
      </a>
    </section>
  )
}
