-- Operators see what the model was asked in a turn that they name, whosever it is: this turn's questions and answers, and
-- nothing else of a person. Who names no turn sees none.

-- +goose Up
create policy operator_asks on step_results for select to munshi_system
    using (question is not null and turn_id = (select nullif(current_setting('app.shown_turn', true), '')::uuid));
grant select (turn_id, step, part, output, question, created_at) on step_results to munshi_system;
