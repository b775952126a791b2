import { type Kysely, sql } from 'kysely'

/**
 * Makes labels differ as the language tells them apart: in more than case and the number of blanks. One that no alert
 * could name, and all but one of those that alerts could not tell apart, get the beginning of the bot's id.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('bot_label').execute()
  await sql`
    with spelled as (
      select id, user_id, label, created_at, regexp_replace(btrim(label), ' +', ' ', 'g') as tidy from bot
    ), ranked as (
      select *, row_number() over (
        partition by user_id, lower(tidy) order by label = btrim(label) desc, length(label) desc, created_at, id
      ) as place from spelled
    ), named as (
      select id, user_id, label, case
        when tidy = '' then 'Bot ' || left(id::text, 8)
        when place > 1 then left(tidy, 41) || ' ' || left(id::text, 8)
        else tidy
      end as next from ranked
    ), renamed as (
      update bot set label = named.next from named where bot.id = named.id and named.next <> named.label
      returning bot.user_id
    )
    update user_config set version = version + 1 where user_id in (select user_id from renamed)
  `.execute(db)
  await sql`
    create unique index bot_label on bot (user_id, lower(regexp_replace(btrim(label), ' +', ' ', 'g')))
  `.execute(db)
}
