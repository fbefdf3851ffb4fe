-- Reply dates are also reminded of by mail, where mail is sent and the person wants it.

-- +goose Up
alter table reminders add column mailed_at timestamptz;
alter table people add column mail_reminders boolean not null default true;
