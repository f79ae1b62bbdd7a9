/* mbedtls_probe_certs.h: throw-away certificates for the probes of `info`, each
 * its own root, for localhost, from 1970 to 9999. Their keys guard nothing.
 */
#ifndef SHAKEDOWN_MBEDTLS_PROBE_CERTS_H
#define SHAKEDOWN_MBEDTLS_PROBE_CERTS_H

static const char probe_p256_cert[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBdTCCARqgAwIBAgIUXyoDoDFeh/fGgoUP4IXLQjYXLJAwCgYIKoZIzj0EAwIw\n"
    "FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTcwMDEwMTAwMDAwMFoYDzk5OTkxMjMx\n"
    "MjM1OTU5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO\n"
    "PQMBBwNCAATT4t6gzRmW2RFR02aTWf10NInTBZYijjcWjvgJEd6S+dc/Mur0wUMs\n"
    "g55eGucXbUor7FjKVGwI7hSCZ5Ln6y/Mo0gwRjAUBgNVHREEDTALgglsb2NhbGhv\n"
    "c3QwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUhgdUHYI1w7ojN1c+tDrUtIGJ\n"
    "lYkwCgYIKoZIzj0EAwIDSQAwRgIhAK7WFPtv/VEctS3JgaiMdypoGXJqO7qeftBF\n"
    "JCFR2bbKAiEAyvdA0jqqJdx5Mu+N8JxGBDlg+xgyTRgEcfkwK0CgPrM=\n"
    "-----END CERTIFICATE-----\n";

static const char probe_p256_key[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVBPAx4uQsqd4UKIS\n"
    "b4Jyp02q199c4jj/vjdTkv24HYOhRANCAATT4t6gzRmW2RFR02aTWf10NInTBZYi\n"
    "jjcWjvgJEd6S+dc/Mur0wUMsg55eGucXbUor7FjKVGwI7hSCZ5Ln6y/M\n"
    "-----END PRIVATE KEY-----\n";

static const char probe_p384_cert[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBsTCCATegAwIBAgIUPY3WBx0/O+eZXACirqfgMA/OnCYwCgYIKoZIzj0EAwIw\n"
    "FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTcwMDEwMTAwMDAwMFoYDzk5OTkxMjMx\n"
    "MjM1OTU5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwdjAQBgcqhkjOPQIBBgUrgQQA\n"
    "IgNiAAQG7N9Tg0o8XFW3bSwN92ug4FFTgJ/T0L0iYI3r15E97uNVd+8TNVeEUeHt\n"
    "x5kIrH9DzwyPZpKmLYVg58ffxWwpMkc3yNT/Abn1WCMqbpWTaHKfcIZGSkwQElUy\n"
    "FHUHvMWjSDBGMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAPBgNVHRMBAf8EBTADAQH/\n"
    "MB0GA1UdDgQWBBQ9jUBGvz198Do0CUbwqmcTQ3qmMTAKBggqhkjOPQQDAgNoADBl\n"
    "AjEAhencltOQjMQ8wIzYq6ZqTHHWaTOE2cpjWVqPLg3LB3EmSm8Hjn3Uhzebi67f\n"
    "yB+vAjBgIWfftYws/xF45qJW//bmQgN9pAnM2A2057+wOASh74tfBK+XHJMwb1XE\n"
    "4BHmcow=\n"
    "-----END CERTIFICATE-----\n";

static const char probe_p384_key[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDA+sDVNb3bDSvWt2MTG\n"
    "LE4oe3tASaIkyigdl/m4CxuxFIEN58Fd/XEI8vpH9gh5wOihZANiAAQG7N9Tg0o8\n"
    "XFW3bSwN92ug4FFTgJ/T0L0iYI3r15E97uNVd+8TNVeEUeHtx5kIrH9DzwyPZpKm\n"
    "LYVg58ffxWwpMkc3yNT/Abn1WCMqbpWTaHKfcIZGSkwQElUyFHUHvMU=\n"
    "-----END PRIVATE KEY-----\n";

static const char probe_rsa_cert[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIDADCCAeigAwIBAgIUD8CSyZPdEwaOHgPKXdpS079Q88kwDQYJKoZIhvcNAQEL\n"
    "BQAwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTcwMDEwMTAwMDAwMFoYDzk5OTkx\n"
    "MjMxMjM1OTU5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwggEiMA0GCSqGSIb3DQEB\n"
    "AQUAA4IBDwAwggEKAoIBAQCjClF0oSIV//ZFE+O5TEk8G7vZo/drkFUYVukbAiCZ\n"
    "++V6SXf/7WT05hBYZ3KHdjy86CXsMrGTDrJBWsIhqjeqU84MConwwlgMVgDA+78F\n"
    "mM2F2lJGapHtVPSJHghN5lhXBRC4Gqn91keLdxRQh16c6nyxflHgspbB7LVJ4O8z\n"
    "nfT0OyFNtECStalWBp2lNR1MxMdlZyGdngNv/hYuNaMvpnuTwygF/d0zwsP9O85w\n"
    "4sA0kUALE/K97r5dSmexCaVBFVhS89aqojdk1wMptBm2Z2y4Kzc3g4I0Vfv2ZZuJ\n"
    "7EDPvD9GiWbtSQbKtFuXtxz/Osdpp54ERFlu13C24okhAgMBAAGjSDBGMBQGA1Ud\n"
    "EQQNMAuCCWxvY2FsaG9zdDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBTjWDbQ\n"
    "McW9q+uPAoXoezQZRWffPjANBgkqhkiG9w0BAQsFAAOCAQEAZZ2L+nGtpnP0rDXf\n"
    "n+Fk3sUsshwosjgbptS3VnIHGrVTzvu2+sW8zWcJL9nP9lKNQWwur1Y0xf5fNwc6\n"
    "bWjfq6nVMQzucjzNWWQQ0Z8WSVS1wwyTx6V/cL1pv8bq/IdRjrtWX9lbv5Tjxurh\n"
    "1iyPMLdcv84lRXfy/R7+yt24nDa5appMbOMrj7vPDgK9aomlJS077ogaPmmp8A+T\n"
    "vax6zKgUiKwxFsq62zMx4qCi6aZt2KxwxQNtMHLwmW9uvWLlpy3faR+koPJ44aAD\n"
    "HMmMxvfL26lxapc4ypQWY81HFGVOt/EPCyr4gRmCSK3gt6HsCoyXxqfRnGTMGV4K\n"
    "50dvuw==\n"
    "-----END CERTIFICATE-----\n";

static const char probe_rsa_key[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCjClF0oSIV//ZF\n"
    "E+O5TEk8G7vZo/drkFUYVukbAiCZ++V6SXf/7WT05hBYZ3KHdjy86CXsMrGTDrJB\n"
    "WsIhqjeqU84MConwwlgMVgDA+78FmM2F2lJGapHtVPSJHghN5lhXBRC4Gqn91keL\n"
    "dxRQh16c6nyxflHgspbB7LVJ4O8znfT0OyFNtECStalWBp2lNR1MxMdlZyGdngNv\n"
    "/hYuNaMvpnuTwygF/d0zwsP9O85w4sA0kUALE/K97r5dSmexCaVBFVhS89aqojdk\n"
    "1wMptBm2Z2y4Kzc3g4I0Vfv2ZZuJ7EDPvD9GiWbtSQbKtFuXtxz/Osdpp54ERFlu\n"
    "13C24okhAgMBAAECggEAAehapxhE8FRrer4fy3yVDgMHXjlFQhta8usSVO2uyjNe\n"
    "MzBIpQqFsK9nW6IO17oQ23r7upumUFLTz/RU3AFJRxDfa4BDTBHlv8KWAISqKcfL\n"
    "L4KOoTFKj0WZi1RmW8g1cxeDHnO4fieRG+NeJDZM9V3nniIJMyOTy8Mm1i1qsYkX\n"
    "PX2kJroiN5m4l8OIrLKG/AzOPQV5N3On/qG2j1+KkwjG4YuaoWPqSyId7iCq6oGv\n"
    "lnbL6Ri4BOS2gaDZUqMrBjlZA5morCh9XlwVu8U8dNqPWwMULsDTqgTa9Mp1wKiA\n"
    "P1590UN3TKuxETMpZaeCkHGuVSzxPcOvPSEx7xXyCwKBgQDRUcSctDEg2pOme4pp\n"
    "Hq70kWSDpIhfs4v8r7EveyYByuufGUV82NP7KtBHR4o5x5k95y/YmBaJETyEnQsA\n"
    "J0bLW4YXuTge3GtsMz276kldUVuhvlZ4yAYvgylwCiiQvOrbHznEEYBRH85d4Mvc\n"
    "/Me32dYny/xsXTI0jy58VSBRFwKBgQDHZm9YFld/cZUWP2Gyh1Rud+Ewb1bxEFAt\n"
    "3qmzA3W0LfNtDpxF4Ul5KeZopfuaqe8EPG5jnrGxTLajPKST61a4GSGKhwtGt3H0\n"
    "HXr+v1tAanWRGwumG4kZgDhApE790XQYCQq1H1FKqN+8ydVXv0qx233QXhtHwlFA\n"
    "92X7uQYqhwKBgQDODVIgeHlMQB7M6hxMcroDYwSxWkws+VA6hLFFblLxvNHJolT3\n"
    "G3NBctno8RGu4z+E4ooFC2JTt7X9TaLAmelk0knkHJ6UMqNEtgR1caKazDYJuJbi\n"
    "+vSr3M/zzOw13uLKpah1zEymj0rUuy+z8NqhrzzTnEh2XB/KAZDfL+VKLQKBgA/f\n"
    "fqOTe7mgcA7KUtukXDtC/cEeS9x6wPc1z2p5rwf91G/tBtGlQnULudTAycuhFW7P\n"
    "5LW3b0u+4JcT/8HqrQeQsJPXdjVV6xNUuXLIBtqU3vEDJyU88ef+xfuXWNZpswUq\n"
    "yxhp+s2nrc/YfUwz5R1NbLGGnENVG6TBTPQB4ZTHAoGATZWnkpC1GIMou4zjQxZB\n"
    "hK447ARMmAF2x151v4JOrewW2LkVJqle8MQ09pDS/Ctlq4CduEemUVeTv+u0SNHk\n"
    "UMRNx2W9cdWJIdH5ESdSjUnO4leZHz2H5I/IEklBGqBZm+WdGaZYnolvF1NRX/q4\n"
    "bk47xkhy/PDRFlKuiP7hjTA=\n"
    "-----END PRIVATE KEY-----\n";

#endif
