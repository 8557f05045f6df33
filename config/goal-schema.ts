/** What `[goal]` may say. Loads zod, so only the schema of the whole configuration imports it. */
import { z } from 'zod';

const yesOrNo = () => z.boolean({ error: 'true or false' });

export const GOAL_SCHEMA = z.strictObject({ plan: yesOrNo(), templates: yesOrNo() }).partial();
