/** `ouro sessions tag`, `untag` and `rename`: what a person calls a session, also while it runs. */
import { shortId } from '../../messages/ids.js';
import { existsSync } from 'node:fs';
import { sanitiseLine } from '../../tui/text/sanitise.js';
import { sessionDir } from '../store/layout.js';
import { addTag, giveName, isTag, removeTag, TAG_FORM, tagsOf } from '../store/session-labels.js';
import type { StandingSession } from './liveness.js';
import { withIndex } from './open-home.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, usage, type VerbFailure } from './verb-output.js';

export interface TagOptions {
  readonly id: string;
  readonly tags: readonly string[];
  readonly remove: boolean;
  readonly json?: boolean | undefined;
}

export const sessionsTag = (options: TagOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, (output) => {
    const wrong = options.tags.find((tag) => !isTag(tag));
    if (wrong !== undefined) return output.fail(usage(`the tag ${wrong}: expected ${TAG_FORM}`));
    const found = withFolder(options.id, context);
    if ('code' in found) return output.fail(found);
    const { home } = context;
    const change = options.remove ? removeTag : addTag;
    const changed = options.tags.filter((tag) => change(home, found.id, tag));
    const tags = tagsOf(home, found.id);
    const all = tags.length === 0 ? 'no tags' : tags.join(' ');
    output.line(`${shortId(found.id)}: ${changed.length === 0 ? 'so already: ' : ''}${all}`);
    output.data({ ok: true, session: found.id, changed: changed.length > 0, tags });
    return EXIT_DONE;
  });

export interface RenameOptions {
  readonly id: string;
  readonly name: string;
  readonly json?: boolean | undefined;
}

/** Enough for a list; a longer one is no name. */
const NAME_CHARS = 200;

export const sessionsRename = (options: RenameOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, (output) => {
    const name = sanitiseLine(options.name.trim());
    if (name === '' || name.length > NAME_CHARS)
      return output.fail(usage(`expected a name of 1 to ${NAME_CHARS} characters on one line`));
    const found = withFolder(options.id, context);
    if ('code' in found) return output.fail(found);
    const isChanged = found.name !== name;
    if (isChanged) {
      giveName(context.home, found.id, name);
      withIndex(context, null, (index) =>
        index.patch(found.id, { name, updatedAt: found.updatedAt }),
      );
    }
    output.line(
      `${shortId(found.id)}: ${isChanged ? 'is called' : 'is called so already:'} ${name}`,
    );
    output.data({ ok: true, session: found.id, changed: isChanged, name });
    return EXIT_DONE;
  });

function withFolder(id: string, context: VerbContext): StandingSession | VerbFailure {
  const selected = selectSession({ id, fitting: 'any' }, context);
  if (!selected.ok) return selected.failure;
  const { session } = selected;
  if (existsSync(sessionDir(context.home, session.id))) return session;
  const message = `the folder of session ${shortId(session.id)} is gone; take it off the list: ouro sessions rm ${shortId(session.id)}`;
  return { code: 'not_possible', message };
}
