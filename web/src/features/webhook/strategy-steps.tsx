import { webhookTexts } from './texts.ts'

const { strategy } = webhookTexts

/** The steps to an alert of a strategy in TradingView. */
export function StrategySteps() {
  return (
    <section className="strategy-steps" aria-label={strategy.stepsHeading}>
      <h3>{strategy.stepsHeading}</h3>
      <ol>
        {strategy.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  )
}
