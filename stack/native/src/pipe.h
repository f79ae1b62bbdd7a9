/* pipe.h: bytes in memory between the two ends of `op record`. */
#ifndef SHAKEDOWN_PIPE_H
#define SHAKEDOWN_PIPE_H

static int pipe_init(struct pipe_buf *p, size_t cap)
{
    *p = (struct pipe_buf){.data = malloc(cap), .cap = cap};
    if (p->data)
        memset(p->data, 0, cap); /* no page faults later */
    return p->data != NULL;
}

static size_t pipe_len(const struct pipe_buf *p)
{
    return p->tail - p->head;
}

size_t pipe_put(struct pipe_buf *p, const void *data, size_t n)
{
    if (p->cap - p->tail < n) {
        memmove(p->data, p->data + p->head, pipe_len(p));
        p->tail -= p->head;
        p->head = 0;
    }
    if (p->cap - p->tail < n)
        return 0;
    memcpy(p->data + p->tail, data, n);
    p->tail += n;
    return n;
}

size_t pipe_get(struct pipe_buf *p, void *data, size_t n)
{
    if (n > pipe_len(p))
        n = pipe_len(p);
    memcpy(data, p->data + p->head, n);
    p->head += n;
    if (p->head == p->tail)
        p->head = p->tail = 0;
    return n;
}

#endif
