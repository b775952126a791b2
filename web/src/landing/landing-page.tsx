import { ActivityPanel } from './activity-panel.tsx'
import { FeatureCards } from './feature-cards.tsx'
import { Hero } from './hero.tsx'
import { landingTexts } from './landing-texts.ts'
import { NoticeBoard } from './notice-board.tsx'
import { PointTiles } from './point-tiles.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'
import { siteLinks } from './site-links.ts'
import { WaitlistForm } from './waitlist-form.tsx'

/** The first page of a visitor. */
export function LandingPage() {
  return (
    <NoticeBoard>
      <SiteHeader />
      <main id="content" tabIndex={-1}>
        <Hero />
        <div className="columns">
          <FeatureCards />
          <ActivityPanel />
        </div>
        <section className="points" aria-labelledby="points">
          <h2 id="points">{landingTexts.points.heading}</h2>
          <PointTiles />
        </section>
        <ExchangeList />
        <div className="columns">
          <WaitlistCard />
          <CommunityCard />
        </div>
      </main>
      <SiteFooter />
    </NoticeBoard>
  )
}

/** The way to the community. */
function CommunityCard() {
  const { heading, note, link } = landingTexts.community
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

/** The exchanges of bots, now and soon. */
function ExchangeList() {
  const { heading, soon, all } = landingTexts.exchanges
  return (
    <section className="exchanges" aria-labelledby="exchanges">
      <h2 id="exchanges">{heading}</h2>
      <ul>
        {all.map((exchange) => (
          <li key={exchange.name} data-soon={'isSoon' in exchange}>
            {exchange.name}
            {'note' in exchange && <span className="exchange-note">{exchange.note}</span>}
            {'isSoon' in exchange && <span className="exchange-note">{soon}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The waitlist on the landing page. */
function WaitlistCard() {
  const { heading, note } = landingTexts.waitlist
  return (
    <section className="box" aria-labelledby="waitlist">
      <h2 id="waitlist">{heading}</h2>
      <p className="quiet">{note}</p>
      <WaitlistForm />
    </section>
  )
}
