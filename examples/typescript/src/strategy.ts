/** How the example plays: plainly, but never against the rules, for it asks the service what they allow. */

import { answered, type Api, type GameState, type Move } from "./table.js";

/** One of the legal moves for the seat whose view this is. */
export async function choose(api: Api, state: GameState, moves: Move[]): Promise<Move> {
  const [first] = moves;
  if (first === undefined) throw new RangeError("nothing to choose from");
  switch (state.game) {
    case "thirteen":
      return first; // the plays come weakest first, passing comes last
    case "three_thirteen":
      return (await threeThirteen(api, state, moves)) ?? first;
  }
}

type ThreeThirteen = Extract<GameState, { game: "three_thirteen" }>;

/** Goes out if it can; draws a wild card from the pile, else from the stock; discards what costs most. */
async function threeThirteen(api: Api, state: ThreeThirteen, moves: Move[]): Promise<Move | undefined> {
  const out = moves.find((move) => move.type === "go_out");
  if (out) return out;
  if (state.phase === "draw") {
    const pile = state.discard_top?.startsWith(state.wild_rank) ? "discard" : "stock";
    return moves.find((move) => move.type === "draw" && move.from === pile);
  }
  const body = { hand: state.you?.hand ?? [], round: state.round, rules: state.rules };
  const advice = await answered(() => api.POST("/v1/three-thirteen/best-discard", { body }));
  return moves.find((move) => move.type === "discard" && move.card === advice.discard);
}
