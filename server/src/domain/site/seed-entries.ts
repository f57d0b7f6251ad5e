import { byLanguage, LIMITS } from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import type { Clock, Ids } from '../../context.ts';
import type { Db } from '../../platform/db/open.ts';
import { seedOnce } from '../../platform/db/seed.ts';
import { insertEntry } from './entry.sql.ts';

const QUESTIONS = ['convert', 'frame'] as const;
const PLACES = ['studio', 'library'] as const;
const NUMBERS = { megabytes: LIMITS.uploadBytes / 1024 / 1024 };

const written = (write: (text: ReturnType<typeof textsIn<'seeds'>>) => string) =>
  byLanguage((language) => write(textsIn(language, 'seeds')));

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Adds two questions with their answers, once. They are the operators' to change. */
export async function seedFaq({ db, clock, ids }: Parts): Promise<void> {
  const changedAt = clock.now();
  await seedOnce(db, 'faq', changedAt, async (tx) => {
    for (const name of QUESTIONS) {
      const question = written((text) => text(`faq.${name}.question`));
      const answer = written((text) => text(`faq.${name}.answer`, NUMBERS));
      await insertEntry(tx, { id: ids.uuid(), kind: 'faq', texts: { question, answer }, revision: 1, changedAt });
    }
  });
}

/** Adds two places that do not exist, once, for a demonstration. */
export async function seedLocations({ db, clock, ids }: Parts): Promise<void> {
  const changedAt = clock.now();
  await seedOnce(db, 'locations', changedAt, async (tx) => {
    for (const place of PLACES) {
      const texts = {
        name: written((text) => text(`locations.${place}.name`)),
        address: written((text) => text(`locations.${place}.address`)),
        hours: written((text) => text(`locations.${place}.hours`)),
        note: written((text) => text(`locations.${place}.note`)),
      };
      await insertEntry(tx, { id: ids.uuid(), kind: 'location', texts, revision: 1, changedAt });
    }
  });
}
