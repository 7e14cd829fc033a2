import type { Static } from '@sinclair/typebox';
import { expectTypeOf, test } from 'vitest';
import type { InteractionView, MessageView, SessionGraphView, SessionView, TurnView } from '../../core/agent/views.ts';
import type { Bootstrap, CreateSessionBody, CreatedSession, ErrorBody, RespondBody, RespondReply, SendBody } from '../../core/agent/wire.ts';
import type * as requests from './schema-requests.ts';
import type * as views from './schema-views.ts';

// Held by the type check; there is nothing to run.
test('schemas say what the types say', () => {
  expectTypeOf<Static<typeof views.sessionView>>().toEqualTypeOf<SessionView>();
  expectTypeOf<Static<typeof views.turnView>>().toEqualTypeOf<TurnView>();
  expectTypeOf<Static<typeof views.messageView>>().toEqualTypeOf<MessageView>();
  expectTypeOf<Static<typeof views.interactionView>>().toEqualTypeOf<InteractionView>();
  expectTypeOf<Static<typeof views.sessionGraph>>().toEqualTypeOf<SessionGraphView>();
  expectTypeOf<Static<typeof requests.createBody>>().toEqualTypeOf<CreateSessionBody>();
  expectTypeOf<Static<typeof requests.createdSession>>().toEqualTypeOf<CreatedSession>();
  expectTypeOf<Static<typeof requests.sendBody>>().toEqualTypeOf<SendBody>();
  expectTypeOf<Static<typeof requests.respondBody>>().toEqualTypeOf<RespondBody>();
  expectTypeOf<Static<typeof requests.respondReply>>().toEqualTypeOf<RespondReply>();
  expectTypeOf<Static<typeof requests.bootstrapReply>>().toEqualTypeOf<Bootstrap>();
  expectTypeOf<Static<typeof requests.errorBody>>().toEqualTypeOf<ErrorBody>();
});
